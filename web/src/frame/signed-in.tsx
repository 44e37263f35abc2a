import { Container, Loader } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { SessionProvider, useMaybeSession } from '../app/session.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { IdleTimeout } from './idle-timeout.tsx'
import { Redirect } from './redirect.tsx'

/** Lets in whoever is signed in; everybody else signs in first and comes back. */
export function SignedIn() {
  const session = useMaybeSession()
  if (session.data) {
    return (
      <SessionProvider session={session.data}>
        <IdleTimeout session={session.data} />
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
  return <Loader size="sm" m="xl" aria-label="Loading" />
}

/** Keeps where the person was when it was first shown: the location changes while the next page loads. */
function ToSignIn() {
  const { href } = useLocation()
  const [next] = useState(href)
  return <Redirect to="/sign-in" search={{ next }} />
}
