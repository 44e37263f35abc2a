import { Loader, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { clientOf } from '../../../api/client.ts'
import type { SsoTrial } from '../../../api/shapes.ts'
import { changeSession, homeOf, readSession } from '../../../app/session.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { Redirect } from '../../../frame/redirect.tsx'
import { t } from '../../../language/t.ts'
import { EntryLayout } from '../entry-layout.tsx'
import { safeNext } from '../safe-next.ts'
import { takeAttempt } from './attempt.ts'
import { TrialResult } from './trial-result.tsx'

/** Where an identity provider sends the browser back to. */
export function SsoReturnPage() {
  const cache = useQueryClient()
  const [to, setTo] = useState<string>()
  const [tried, setTried] = useState<{ trial: SsoTrial; issuer: string; back: string }>()
  const [error, setError] = useState<unknown>()
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    const query = location.search
    // The code in it works once; the history of the browser need not keep it.
    history.replaceState(null, '', '/app/sso')
    const finish = async () => {
      const attempt = takeAttempt()
      const body = { secret: attempt?.secret ?? '', query }
      if (attempt?.trial) {
        const { data: trial } = await clientOf().POST('/api/v1/session/sso/trial/finish', { body })
        if (trial) setTried({ trial, ...attempt.trial })
        return
      }
      await clientOf().POST('/api/v1/session/sso/finish', { body })
      const session = await readSession()
      if (!session) throw new Error('There is no session')
      changeSession(cache, session)
      setTo(safeNext(attempt?.next) ?? homeOf(session))
    }
    finish().catch(setError)
  }, [cache])
  if (to !== undefined) return <Redirect to={to} />
  if (tried) {
    return (
      <EntryLayout title={t('What a sign-in would do')} size={760}>
        <TrialResult trial={tried.trial} issuer={tried.issuer} />
        <PageLink to={tried.back}>{t('Back to single sign-on')}</PageLink>
      </EntryLayout>
    )
  }
  return (
    <EntryLayout title={error === undefined ? t('Signing in') : t('You are not signed in')}>
      {error === undefined ? (
        <Loader aria-label={t('Signing in')} />
      ) : (
        <>
          <ErrorAlert error={error} />
          <Text c="dimmed">
            {t('Your identity provider may still know you: starting again is often a single click.')}
          </Text>
          <PageLink to="/sign-in">{t('Back to sign in')}</PageLink>
        </>
      )}
    </EntryLayout>
  )
}
