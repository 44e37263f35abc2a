import { z } from 'zod'

/** The settings for monitoring and API documentation; config.ts includes them. */
export const monitoringSettings = {
  METRICS_PORT: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)),
    must: 'a whole number from 0 to 65535',
    example: '9464',
    help: 'a separate port for /metrics and /health (default: PORT)',
  },
  METRICS_HOST: {
    schema: z.string().regex(/^[\w.:-]+$/),
    must: 'a host name or an IP address',
    example: '10.0.0.5',
    help: 'the address for METRICS_PORT (default: 127.0.0.1)',
  },
  METRICS_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,200}$/),
    must: '16 to 200 visible characters',
    example: '<what openssl rand -hex 24 prints>',
    help: 'the Bearer token for /metrics (default: only this machine may read it)',
  },
  DOCS: {
    schema: z.enum(['on', 'off']).transform((text) => text === 'on'),
    must: 'on or off',
    example: 'off',
    help: 'off: serve neither /docs nor /api/v1/openapi.json (default: on)',
  },
}
