import { writeFile } from 'node:fs/promises'
import { errorsDocument } from './errors-document.ts'
import { openApiDocument } from './openapi-document.ts'

await writeFile('openapi.json', await openApiDocument())
await writeFile('docs/errors.md', errorsDocument())
