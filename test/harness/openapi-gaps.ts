import type { OpenApi } from '../../src/cli/openapi/open-api.ts'
import { follow } from '../../src/docs/reference/document.ts'

interface Node {
  $ref?: string
  properties?: Record<string, Node>
  items?: Node
  description?: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Each field of the document with the name of its shape or operation, as `Kit.status`. */
function fields(document: OpenApi): { name: string; field: Node }[] {
  const found: { name: string; field: Node }[] = []
  const walk = (value: unknown, owner: string): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, owner)
    if (!isNode(value)) return
    for (const [name, field] of Object.entries(value.properties ?? {})) {
      found.push({ name: `${owner}.${name}`, field })
      if (isNode(field.items)) found.push({ name: `${owner}.${name}[]`, field: { description: ' ', ...field.items } })
    }
    for (const [key, inner] of Object.entries(value)) if (key !== 'example' && key !== 'examples') walk(inner, owner)
  }
  for (const path of Object.values(document.paths))
    for (const { operationId, requestBody, responses } of Object.values(path)) {
      // A refusal is an `Error`, one of the shapes below.
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      walk([requestBody, ...answers.map(([, answer]) => answer)], operationId)
    }
  for (const [name, shape] of Object.entries(document.components.schemas ?? {})) walk(shape, name)
  return found
}

/** Operations, parameters, fields and tags that nothing explains. */
export function undescribed(document: OpenApi): string[] {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  return [
    ...operations.filter(({ summary, description }) => !summary || !description).map(({ operationId }) => operationId),
    ...operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((one) => follow(document, one as { $ref?: string; name: string; description?: string }))
        .flatMap(({ name, description }) => (description ? [] : [`${operationId} ${name}`])),
    ),
    ...fields(document).flatMap(({ name, field }) => (follow(document, field).description ? [] : [name])),
    ...document.tags.filter(({ description }) => !description).map(({ name }) => name),
  ]
}

const says = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']

/** Fields of which it is not said what they are. */
export const untyped = (document: OpenApi): string[] =>
  fields(document).flatMap(({ name, field }) => (says.some((key) => key in field) ? [] : [name]))
