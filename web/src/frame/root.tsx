import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { isReachable, onReachable } from '../api/reachability.ts'
import { styleNonce } from '../app/nonce.ts'
import { useMaybeRealm } from '../app/realm.tsx'
import { SESSION_KEY, useMaybeSession } from '../app/session.tsx'
import { cssVariables, themeOf } from '../app/theme.ts'
import { ConnectionStatus } from './connection-status.tsx'

// A refusal stays one; a busy service or a lost connection is asked twice more.
const shouldRetry = (failures: number, error: unknown) => {
  const { status } = asProblem(error)
  return failures < 2 && (status === 0 || status === 502 || status === 503)
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: forgetSession }),
  defaultOptions: {
    // "always": what a person asked for offline fails at once. Kept for later, an order would be placed behind their back.
    queries: { networkMode: 'always', retry: shouldRetry, staleTime: 5_000 },
    mutations: { networkMode: 'always', onError: forgetSession },
  },
})

// What is on the page is read anew when the service is back.
onReachable(() => {
  if (isReachable()) void queries.invalidateQueries()
})

/** Whoever's session has ended is shown the sign-in page, and comes back to where they were. */
function forgetSession(error: unknown): void {
  // A wrong password or code is 401 too, and ends nothing.
  if (asProblem(error).code === 'UNAUTHORIZED') queries.setQueryData(SESSION_KEY, null)
}

export function Root() {
  return (
    <QueryClientProvider client={queries}>
      <Themed />
    </QueryClientProvider>
  )
}

function Themed() {
  const realm = useMaybeRealm()
  const session = useMaybeSession().data
  const business = session?.memberships.find(({ business }) => business?.id === realm?.businessID)?.business
  return (
    <MantineProvider
      theme={themeOf(business?.brandColor)}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
    >
      <Notifications position="bottom-right" autoClose={5_000} transitionDuration={120} />
      <Outlet />
      <ConnectionStatus />
    </MantineProvider>
  )
}
