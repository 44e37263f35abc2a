import { writeFile } from 'node:fs/promises'
import { commandsDocument } from './commands-document.ts'
import { errorsDocument } from './errors-document.ts'
import { openApiDocument } from './openapi-document.ts'

await writeFile('openapi.json', await openApiDocument())
await writeFile('docs/errors.md', errorsDocument())
await writeFile('docs/cli.md', commandsDocument())
