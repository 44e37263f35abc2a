import type { operationOf } from './operation.ts'

export type Operation = ReturnType<typeof operationOf>
export type Section = Record<string, unknown>

/** A document of OpenAPI 3.1, as far as this service writes one. */
export interface OpenApi {
  openapi: '3.1.0'
  info: Section
  servers: Section[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, unknown>
  components: Record<string, Section>
}
