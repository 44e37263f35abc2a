import { openApiDocuments } from '../../src/cli/openapi-document.ts'

/** The OpenAPI documents of the routes. They cost 0.3 s of CPU, so the tests of a process make them once. */
export const apiDocuments = openApiDocuments()
