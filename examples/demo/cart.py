"""A shopping cart, the file that the README edits."""


class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, price, count=1):
        if count < 1:
            raise ValueError("count must be at least 1")
        self.items[name] = (price, count)

    def total(self):
        result = 0
        for price, count in self.items.values():
            result  +=  price * count
        return result

    def names(self):
        result = []
        for name in self.items:
            result.append(name)
        return result
