import { writeFile } from 'node:fs/promises'
import { openApiDocument } from './openapi-document.ts'

await writeFile('openapi.json', await openApiDocument())
