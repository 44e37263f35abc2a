import { Container, Loader, Stack, Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PageNotLoaded } from '../api/problem.ts'
import { ask, isReachable, useReachable } from '../api/reachability.ts'
import { ErrorAlert } from '../components/error-alert.tsx'
import { PageLink } from '../components/page-link.tsx'
import { usePageTitle } from '../components/page-title.ts'
import { t } from '../language/t.ts'

export function NotFound() {
  usePageTitle(t('Page not found'))
  return (
    <Container size="xs" py="xl">
      <Stack gap="sm">
        <Title order={1}>{t('Page not found')}</Title>
        <Text>{t('The link may be out of date or incomplete.')}</Text>
        <PageLink to="/">{t('Go to the home page')}</PageLink>
      </Stack>
    </Container>
  )
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const isBack = useReachable()
  const isMissing = error instanceof PageNotLoaded
  useEffect(() => {
    if (isMissing && isBack) reloadOnce()
  }, [isMissing, isBack])
  return (
    <Container size="sm" py="xl">
      <ErrorAlert error={error} retry={isMissing ? () => void reloadIfBack() : reset} />
    </Container>
  )
}

/** Reloads the app if the service answers; otherwise the browser would show its own error page. */
async function reloadIfBack(): Promise<void> {
  await ask('/app/').catch(() => undefined)
  if (isReachable()) location.reload()
}

const RELOADED = 'kitlane.reloaded-at'
const ONCE_IN_MS = 60_000

/** At most once in a while: a page that is missing although the service answers would reload forever. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < ONCE_IN_MS) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
}

export function PagePending() {
  return <Loader size="sm" m="xl" />
}
