import type { paths } from '@kitlane/client'

type Body = NonNullable<paths['/api/v1/tokens']['post']['requestBody']>['content']['application/json']
export type Scope = Extract<NonNullable<Body['scopes']>, string>

// A record and not a list: a new scope of the API fails to compile until it is added here.
const all: Record<Scope, true> = {
  'orders:read': true,
  'orders:write': true,
  'kits:read': true,
  'kits:write': true,
  'customers:read': true,
  'customers:write': true,
  'reports:read': true,
  'reports:review': true,
  'credits:read': true,
  'payments:read': true,
  'payments:write': true,
  'catalogue:read': true,
  'webhooks:read': true,
  'webhooks:write': true,
  'requests:read': true,
  'settings:read': true,
  'settings:write': true,
}

export const scopes: readonly string[] = Object.keys(all)
