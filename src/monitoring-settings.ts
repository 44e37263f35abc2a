import { z } from 'zod'

/** Who sees how the service is doing, and its documentation: part of the settings in config.ts. */
export const monitoringSettings = {
  METRICS_PORT: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)),
    must: 'a whole number from 0 to 65535',
    example: '9464',
    help: 'a port of their own for /metrics and /health (default: the one of PORT)',
  },
  METRICS_HOST: {
    schema: z.string().regex(/^[\w.:-]+$/),
    must: 'a host name or an IP address',
    example: '10.0.0.5',
    help: 'the address that METRICS_PORT listens on (default: 127.0.0.1)',
  },
  METRICS_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,200}$/),
    must: '16 to 200 visible characters',
    example: '<what openssl rand -hex 24 prints>',
    help: 'the Bearer token that reads /metrics (default: only this machine reads it)',
  },
  DOCS: {
    schema: z.enum(['on', 'off']).transform((text) => text === 'on'),
    must: 'on or off',
    example: 'off',
    help: 'off: neither /docs nor /api/v1/openapi.json is served (default: on)',
  },
}
