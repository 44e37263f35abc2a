import { Container, Loader } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { SessionProvider, useMaybeSession } from '../app/session.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { IdleTimeout } from './idle-timeout.tsx'
import { Proof } from './proof.tsx'
import { Redirect } from './redirect.tsx'

/** For people who are signed in. Everyone else signs in first and then returns here. */
export function SignedIn() {
  const session = useMaybeSession()
  const { pathname } = useLocation()
  if (session.data?.secondFactorMissing && pathname !== '/account') return <Redirect to="/account" />
  if (session.data) {
    return (
      <SessionProvider session={session.data}>
        <IdleTimeout session={session.data} />
        <Proof />
        <Outlet />
      </SessionProvider>
    )
  }
  if (session.data === null) return <ToSignIn />
  if (session.error) {
    return (
      <Container size="xs" py="xl">
        <ErrorAlert error={session.error} retry={() => void session.refetch()} />
      </Container>
    )
  }
  return <Loader size="sm" m="xl" />
}

/** Remembers the location of the first render, because it changes while the next page loads. */
function ToSignIn() {
  const { href } = useLocation()
  const [next] = useState(href)
  return <Redirect to="/sign-in" search={{ next }} />
}
