import { z } from 'zod'
import type { EventDocument, Module } from '../../modules/define-module.ts'
import { scopeOfEvent } from '../../modules/events/event-types.ts'
import { modules } from '../../modules/index.ts'
import { timestamp } from '../../platform/http/fields.ts'
import type { DocumentedEvent, DocumentedEvents } from './webhooks.ts'

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
