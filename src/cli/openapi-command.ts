import type { Command } from 'commander'
import { z } from 'zod'
import { readShipped } from '../platform/package-root.ts'
import { addCommand } from './command.ts'
import type { OpenApi } from './openapi/open-api.ts'
import { postmanCollection } from './openapi/postman.ts'

export function addOpenApiCommand(parent: Command): void {
  addCommand(
    parent,
    {
      name: 'openapi',
      summary: 'Print the OpenAPI document of this version, or a Postman collection made of it.',
      options: {
        '--operator': 'what the operator calls, not what businesses call',
        '--dashboard': 'what no token may call, only people who signed in',
        '--postman': 'a Postman collection (v2.1) with the variables baseUrl and token',
        '--url <url>': 'the baseUrl of the collection (default: http://localhost:8080)',
      },
      input: z.object({
        operator: z.boolean().optional(),
        dashboard: z.boolean().optional(),
        postman: z.boolean().optional(),
        url: z.url('--url must be an address such as https://kits.example.com').optional(),
      }),
      example: 'kitlane openapi --postman --url https://kits.example.com > kitlane.postman_collection.json',
    },
    async ({ operator, dashboard, postman, url = 'http://localhost:8080' }) => {
      const part = operator ? '-operator' : dashboard ? '-dashboard' : ''
      const file = `openapi${part}.json`
      const document: OpenApi = JSON.parse(await readShipped(file))
      const json = postman ? postmanCollection(document, url.replace(/\/+$/, '')) : document
      return { json, text: JSON.stringify(json, null, 2) }
    },
  )
}
