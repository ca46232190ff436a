// For `require`: the same module as for `import`, so that each class exists once.

module.exports = require('./load.js');
