// Starts the reference on /docs: the document of this very simulator, nothing from elsewhere.

/** The box above the list finds operations by path, method, id, summary and tag, not by tag alone. */
const findOperations = () => ({
  fn: {
    opsFilter: (taggedOperations, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/);
      const isFound = (tag) => (row) => {
        const operation = row.get('operation');
        const about = [tag, row.get('method'), row.get('path'), operation.get('operationId'), operation.get('summary')];
        const text = about.join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return taggedOperations
        .map((group, tag) => group.update('operations', (rows) => rows.filter(isFound(tag))))
        .filter((group) => group.get('operations').size > 0);
    },
  },
});

window.reference = window.SwaggerUIBundle({
  dom_id: '#reference',
  url: '../openapi.json',
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  plugins: [findOperations],
});
