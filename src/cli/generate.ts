import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { clientErrors } from './client-errors.ts'
import { clientResources } from './client-resources.ts'
import { commandsDocument, commandsOutline } from './commands-document.ts'
import { dataMapDocument } from './data-map-document.ts'
import { effectsDocument } from './effects-document.ts'
import { errorsDocument } from './errors-document.ts'
import { asText, openApiDocuments, wholeDocument } from './openapi-document.ts'
import { pythonClient } from './python/resources.ts'
import { settingsDocument } from './settings-document.ts'

const { business, dashboard, operator } = openApiDocuments()
const whole = wholeDocument()
await writeFile('openapi.json', asText(business))
await writeFile('openapi-dashboard.json', asText(dashboard))
await writeFile('openapi-operator.json', asText(operator))
// For the clients, which call all; not kept.
await mkdir('node_modules/.cache', { recursive: true })
await writeFile('node_modules/.cache/openapi-whole.json', asText(whole))
await writeFile('client/src/resources.gen.ts', clientResources(whole))
await writeFile('client/src/errors.gen.ts', clientErrors())
for (const [path, text] of Object.entries(pythonClient(whole))) await writeFile(path, text)
// Helm reads no file outside of its chart.
await copyFile('ops/prometheus/alerts.yaml', 'deploy/helm/kitlane/files/alerts.yaml')
await writeFile('docs/errors.md', errorsDocument())
await writeFile('docs/effects.md', effectsDocument())
await writeFile('docs/data-map.md', dataMapDocument(await readFile('docs/data-map.md', 'utf8')))
await writeFile('docs/settings.md', settingsDocument())
await writeFile('docs/cli.md', await commandsDocument())
await writeFile('src/cli/outline.gen.ts', await commandsOutline())
