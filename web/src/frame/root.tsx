import { Alert, MantineProvider } from '@mantine/core'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { isReachable, onReachable, useReachable } from '../api/reachability.ts'
import { styleNonce } from '../app/nonce.ts'
import { useMaybeRealm } from '../app/realm.tsx'
import { SESSION_KEY, useMaybeSession } from '../app/session.tsx'
import { cssVariables, themeOf } from '../app/theme.ts'
import { t } from '../language/t.ts'
import css from './connection-status.module.css'
import { Messages } from './messages.tsx'

// A refusal is final. A busy service or a lost connection is retried twice.
const shouldRetry = (failures: number, error: unknown) => {
  const { status } = asProblem(error)
  return failures < 2 && (status === 0 || status === 502 || status === 503)
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  defaultOptions: {
    // "always": a request made offline fails at once. If it were kept for later, an order would be placed unnoticed.
    queries: { networkMode: 'always', retry: shouldRetry, staleTime: 5_000 },
    mutations: { networkMode: 'always', onError: noteRefusal },
  },
})

// Everything on the page is read again when the service is back.
onReachable(() => {
  if (isReachable()) void queries.invalidateQueries()
})

/** After the session has ended, the person signs in again and returns to the same page. */
function noteRefusal(error: unknown): void {
  const { code } = asProblem(error)
  // A wrong password or code is also a 401, but ends no session.
  if (code === 'UNAUTHORIZED') queries.setQueryData(SESSION_KEY, null)
  // The session, read again, leads to the page that sets one up.
  if (code === 'SECOND_FACTOR_REQUIRED') void queries.invalidateQueries({ queryKey: SESSION_KEY })
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
      <Messages />
      <Outlet />
      <ConnectionStatus />
    </MantineProvider>
  )
}

/** Shown on every page while the service does not answer. */
function ConnectionStatus() {
  const isReachable = useReachable()
  return (
    <div className={`${css.note} no-print`} role="status">
      {!isReachable && (
        <Alert color="orange" variant="filled" title={t('No connection to the service')}>
          {t(
            'What you see may be out of date. What you typed is still here, and nothing is sent until you try again. Reconnecting…',
          )}
        </Alert>
      )}
    </div>
  )
}
