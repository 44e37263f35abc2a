import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { apiWords } from '../domain/api-description.ts'
import { fieldWords } from '../domain/field-words.ts'
import { type EventDocument, type Module, tagsOf } from '../modules/define-module.ts'
import { scopeOfEvent } from '../modules/events/event-types.ts'
import { modules, routes } from '../modules/index.ts'
import { timestamp } from '../platform/http/fields.ts'
import { PACKAGE_ROOT } from '../platform/package-root.ts'
import { describeApi } from './openapi/document.ts'
import { type Examples, noExamples } from './openapi/examples.ts'
import type { DocumentedEvent, DocumentedEvents } from './openapi/webhooks.ts'

/** Only a checkout has it: a package holds the documents, which have the examples already. */
const EXAMPLES = join(PACKAGE_ROOT, 'test/examples.json')

const examples = (): Examples => (existsSync(EXAMPLES) ? JSON.parse(readFileSync(EXAMPLES, 'utf8')) : noExamples)

const named = (type: string) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
const scopes: Partial<Record<string, string>> = scopeOfEvent

const documented = (type: string, { summary, description, data }: EventDocument): DocumentedEvent => {
  const scope = scopes[type]
  const body = z
    .object({
      type: z.literal(type),
      timestamp: timestamp.describe('When it happened, RFC 3339.'),
      data: data.describe('What happened.'),
    })
    .meta({ id: `${named(type)}Event` })
  return { summary, description, body, ...(scope && { scope }) }
}

/** What webhooks bring, as the modules declare it: the `webhooks` of the OpenAPI document. */
export const eventDocuments: DocumentedEvents = Object.fromEntries(
  modules.flatMap(({ events = {} }: Module) =>
    Object.entries(events).map(([type, event]) => [type, documented(type, event)]),
  ),
)

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
