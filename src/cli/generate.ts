// Writes what is generated from the sources. With --types only what git does not keep: the types of both clients, which nothing
// that runs reads. `npm install` does that.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { clientResources } from './client-resources.ts'
import { commandsDocument, commandsOutline } from './commands-document.ts'
import { dataMapDocument } from './data-map-document.ts'
import { effectsDocument } from './effects-document.ts'
import { clientErrors, errorsDocument } from './errors-document.ts'
import { asText, openApiDocuments, wholeDocument } from './openapi-document.ts'
import { PYTHON_MODELS, pythonClient } from './python/resources.ts'
import { settingsDocument } from './settings-document.ts'
import { vendorsDocument } from './vendors-document.ts'

const whole = wholeDocument()
const python = pythonClient(whole)
// From it openapi-typescript makes client/src/schema.gen.ts.
const types = { 'node_modules/.cache/openapi-whole.json': asText(whole), [PYTHON_MODELS]: python[PYTHON_MODELS] }

async function generatedFiles(): Promise<Record<string, string>> {
  const { business, dashboard, operator } = openApiDocuments()
  return {
    'openapi.json': asText(business),
    'openapi-dashboard.json': asText(dashboard),
    'openapi-operator.json': asText(operator),
    'client/src/resources.gen.ts': clientResources(whole),
    'client/src/errors.gen.ts': clientErrors(),
    ...python,
    'docs/errors.md': errorsDocument(),
    'docs/effects.md': effectsDocument(),
    'docs/data-map.md': dataMapDocument(await readFile('docs/data-map.md', 'utf8')),
    'docs/settings.md': settingsDocument(),
    'docs/vendors.md': vendorsDocument(),
    'docs/cli.md': await commandsDocument(),
    'src/cli/outline.gen.ts': await commandsOutline(),
    // Helm reads no file outside of its chart.
    'deploy/helm/kitlane/files/alerts.yaml': await readFile('ops/prometheus/alerts.yaml', 'utf8'),
  }
}

for (const [path, text] of Object.entries({
  ...(process.argv.includes('--types') ? {} : await generatedFiles()),
  ...types,
})) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
