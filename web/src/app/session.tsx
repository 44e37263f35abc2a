import { type QueryClient, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { clientOf } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import type { Membership, Session } from '../api/shapes.ts'

export const SESSION_KEY = ['session']

/** The session of the cookie; null when nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    const { data } = await clientOf().GET('/api/v1/session')
    return data ?? null
  } catch (error) {
    if (asProblem(error).status === 401) return null
    throw error
  }
}

export function useMaybeSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: Number.POSITIVE_INFINITY })
}

/** After a sign-in: everything that was read before is dropped. */
export function changeSession(cache: QueryClient, session: Session): void {
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  cache.setQueryData(SESSION_KEY, session)
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The signed-in person. Below the frame there is always one. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('This page is for people who are signed in')
  return session
}

export function isOperator(membership: Membership): boolean {
  return membership.business === undefined
}

/** The first page after signing in: the operator's for its staff, else that of the first business. */
export function homeOf(session: Session): string {
  const [first] = [...session.memberships].sort((a, b) => Number(isOperator(b)) - Number(isOperator(a)))
  if (first === undefined) return '/account'
  if (first.role === 'provider') return '/operator/approvals'
  return first.business === undefined ? '/operator' : `/b/${first.business.id}/live`
}

/** Ends the session and reloads the page, so that nothing that was read stays in memory. */
export async function signOut(search: Record<string, string> = {}): Promise<void> {
  // If the session is already over, the person is signed out all the same.
  await clientOf()
    .DELETE('/api/v1/session')
    .catch(() => undefined)
  const query = new URLSearchParams(search).toString()
  location.assign(query ? `/app/sign-in?${query}` : '/app/sign-in')
}
