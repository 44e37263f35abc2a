import type { z } from 'zod'
import { brief } from './examples.ts'
import type { JsonSchemas } from './json-schemas.ts'

/** An event that businesses hear of by webhook. */
export interface DocumentedEvent {
  summary: string
  description: string
  /** Which scope an endpoint's token must have had to hear of it. */
  scope?: string
  /** The whole body. */
  body: z.ZodType
}

export type DocumentedEvents = Readonly<Record<string, DocumentedEvent>>

/** The headers of Standard Webhooks. */
export const webhookHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's ID: the same on each attempt, so that a repeated one can be told.",
    schema: { type: 'string' },
    example: 'evt_0mgk2v8zr4XnPzBqJ7vT2m',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was signed, in seconds since 1970.',
    schema: { type: 'integer' },
    example: 1767268800,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the bytes of the secret after `whsec_`. While a secret is rotated there are two, with a space between: one of them has to match.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const

export const heard = { description: 'Heard. With any other status, or none within 15 s, it is sent again later.' }

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }))

export function webhookOf(type: string, event: DocumentedEvent, output: JsonSchemas, example: unknown) {
  const { summary, description, scope, body } = event
  return {
    post: {
      operationId: `on.${type}`,
      tags: ['Webhooks'],
      summary,
      description: scope ? `${description}\n\nThe endpoint's maker needs \`${scope}\`.` : description,
      // The signature says who sends it.
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: output.of(body), ...(example !== undefined && { example: brief(example) }) },
        },
      },
      responses: { '2XX': heard },
    },
  }
}
