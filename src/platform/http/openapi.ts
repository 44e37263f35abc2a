import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { apiDescription, sessionDescription } from '../../domain/api-description.ts'
import { lenientShape, type Shape } from './lenient-document.ts'

/** Named shapes of requests are lenient too. */
function withLenientInputs<D>(document: D): D {
  const { paths, components } = document as { paths: Record<string, object>; components?: Components }
  const bodies = JSON.stringify(Object.values(paths).flatMap((path) => Object.values(path).map(bodyOf)))
  for (const [name, shape] of Object.entries(components?.schemas ?? {})) {
    if (!components?.schemas || !bodies.includes(`"#/components/schemas/${name}"`)) continue
    components.schemas[name] = lenientShape(shape)
  }
  return document
}

function optional<D>(document: D, operations: ReadonlySet<string>): D {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  for (const { operationId, requestBody } of Object.values(paths).flatMap((path) => Object.values(path))) {
    if (requestBody && operationId && operations.has(operationId)) requestBody.required = false
  }
  return document
}

interface Operation {
  operationId?: string
  requestBody?: { required?: boolean }
}

interface Components {
  schemas?: Record<string, Shape>
}

/** By name, so that the order in which files are loaded does not show. */
function sortSchemas<D>(document: D): D {
  const { components } = document as { components?: Components }
  const byName = Object.entries(components?.schemas ?? {})
    // Refusals are answers only; the library writes each shape as an input too.
    .filter(([name]) => !/^Error\..*Input$/.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (components) components.schemas = Object.fromEntries(byName)
  return document
}

const bodyOf = (operation: { requestBody?: unknown }) => operation.requestBody ?? null

/** OpenAPI 3.1 from the routes' Zod schemas; with `docs`, a page at /docs that shows it. */
export async function registerOpenApi(app: FastifyInstance, { docs }: { docs: boolean }): Promise<void> {
  // By the ID of their operation: requests whose body may be left out.
  const withoutBody = new Set<string>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Kitlane', version: '1.0.0', description: apiDescription },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Authorization' },
          session: { type: 'apiKey', in: 'cookie', name: 'kitlane', description: sessionDescription },
        },
      },
    },
    transform: (route) => {
      const given = route.schema as { body?: z.ZodType; operationId?: string } | undefined
      if (given?.operationId && given.body?.safeParse(undefined).success) withoutBody.add(given.operationId)
      const { schema, url } = jsonSchemaTransform(route)
      const { body } = schema as { body?: Shape }
      return { url, schema: body ? { ...schema, body: lenientShape(body) } : schema }
    },
    transformObject: (document) =>
      sortSchemas(withLenientInputs(optional(jsonSchemaTransformObject(document), withoutBody))),
  })
  if (docs) await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}

/** Serves the document below /api/v1 to anyone: it holds no data. */
export function publishOpenApi(api: FastifyInstance): void {
  api.get('/openapi.json', { schema: { hide: true }, config: { public: true } }, async () => api.swagger())
}
