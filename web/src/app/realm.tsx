import { useParams } from '@tanstack/react-router'

export type Mode = 'live' | 'sandbox'

export interface Realm {
  businessID: string
  mode: Mode
}

/** The business and mode that the URL names; undefined on the operator's pages. */
export function useMaybeRealm(): Realm | undefined {
  const { businessID, mode } = useParams({ strict: false })
  if (businessID === undefined) return undefined
  return { businessID, mode: mode === 'live' ? 'live' : 'sandbox' }
}

export function useRealm(): Realm {
  const realm = useMaybeRealm()
  if (realm === undefined) throw new Error('This page belongs to a business')
  return realm
}

/** What the header `Kitlane-Realm` says. */
export function useRealmHeader(): string | undefined {
  const realm = useMaybeRealm()
  return realm && `${realm.businessID}/${realm.mode}`
}

/** Makes the path of a page of this business: `path('orders', id)`. */
export function useRealmPath(): (...parts: (string | number)[]) => string {
  const realm = useMaybeRealm()
  const start = realm ? `/b/${realm.businessID}/${realm.mode}` : '/operator'
  return (...parts) => [start, ...parts.map((part) => encodeURIComponent(part))].join('/')
}

/** Below which the routes of this page are. A page that a business and the operator have in common asks the same of both. */
export const useApi = (): '/api/v1' | '/operator/v1' => (useMaybeRealm() ? '/api/v1' : '/operator/v1')
