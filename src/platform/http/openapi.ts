import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

const DESCRIPTION = `Order health test kits, follow them, and read the reports.

Send \`Authorization: Token <token>\`. A live token (\`kl_live_…\`) works on live data, a sandbox token (\`kl_test_…\`) on sandbox data only.
Any POST, PATCH or DELETE takes an \`Idempotency-Key\`: the same key with the same request answers the same for 24 hours, and does its work once.`

const SESSION = `Of somebody who signed in with \`POST /api/v1/session\`; named \`__Host-kitlane\` over https. Below /api/v1 the header
\`Kitlane-Realm: <businessId>/live\` (or \`/sandbox\`) says where to work. A change needs \`Sec-Fetch-Site: same-origin\`, as browsers send it,
or an \`Origin\` of the service itself. A request brings a token or a session, not both.`

/** OpenAPI 3.1 from the routes' Zod schemas, and a page at /docs that shows it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Kitlane', version: '1.0.0', description: DESCRIPTION },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Authorization' },
          session: { type: 'apiKey', in: 'cookie', name: 'kitlane', description: SESSION },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}

/** Serves the document below /api/v1 to anyone: it holds no data. */
export function publishOpenApi(api: FastifyInstance): void {
  api.get('/openapi.json', { schema: { hide: true }, config: { public: true } }, async () => api.swagger())
}
