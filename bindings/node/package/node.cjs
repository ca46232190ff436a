// For `require`: the same module as for `import`, so that there is one of each class.

module.exports = require('./node.js');
