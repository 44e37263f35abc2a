import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiWords } from '../domain/api-description.ts'
import { fieldWords } from '../domain/field-words.ts'
import { tagsOf } from '../modules/define-module.ts'
import { modules, routes } from '../modules/index.ts'
import { PACKAGE_ROOT } from '../platform/package-root.ts'
import { describeApi } from './openapi/document.ts'
import { eventDocuments } from './openapi/event-documents.ts'
import { type Examples, noExamples } from './openapi/examples.ts'

/** Only a checkout has it: a package holds the documents, which have the examples already. */
const EXAMPLES = join(PACKAGE_ROOT, 'test/examples.json')

const examples = (): Examples => (existsSync(EXAMPLES) ? JSON.parse(readFileSync(EXAMPLES, 'utf8')) : noExamples)

const sources = { routes, events: eventDocuments, words: { ...apiWords, tags: tagsOf(modules), fields: fieldWords } }

/** What the routes say, by who calls them. */
export const openApiDocuments = () => describeApi({ ...sources, examples: examples() })

/** All in one, from which the client's types are made: they show no examples. */
export const wholeDocument = () => describeApi(sources).whole

/** As it stands in a file: a line for each route and each shape, so that a change shows where it was made. */
export const asText = (document: object): string => `${lines(document, 0)}\n`

// `paths`, a path and its methods; `components`, a section and its entries.
const OPEN_LEVELS = 3

function lines(value: unknown, level: number): string {
  if (level === OPEN_LEVELS || value === null || typeof value !== 'object' || Array.isArray(value))
    return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${lines(inner, level + 1)}`)
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`
}
