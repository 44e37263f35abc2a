import { Alert, AppShell, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { homeOf, signOut, useSession } from '../../app/session.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import css from '../../frame/frame.module.css'
import { HeaderMenu } from '../../frame/header-menu.tsx'
import { Redirect } from '../../frame/redirect.tsx'
import { WorkspaceMenu } from '../../frame/workspace-menu.tsx'
import { t } from '../../language/t.ts'
import { PasskeysForm } from './passkeys-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { SessionsForm } from './sessions-form.tsx'

/** The settings of the person, independent of any business. */
export function AccountPage() {
  const session = useSession()
  const { user, secondFactorMissing } = session
  const [wasMissing] = useState(secondFactorMissing)
  if (wasMissing && !secondFactorMissing) return <Redirect to={homeOf(session)} />
  return (
    <AppShell header={{ height: 56 }} padding="lg">
      <AppShell.Header className={css.header}>
        {!secondFactorMissing && <WorkspaceMenu label={t('Go to a workspace')} />}
        <HeaderMenu />
      </AppShell.Header>
      <AppShell.Main>
        <Stack gap="lg" maw={560} mx="auto">
          <PageHeader title={t('Your account')} sentence={user.name ? `${user.name}, ${user.email}` : user.email} />
          {secondFactorMissing && (
            <Alert icon={<Icon name="shield" />} title={t('Set up a second factor to go on')}>
              <Stack gap="sm" align="flex-start">
                {t(
                  'Your role, or a business that you work for, needs more than a password. Add a passkey, or use the codes of an app on your phone. Until then you can only do this, or sign out.',
                )}
                <Button variant="default" size="xs" onClick={() => void signOut()}>
                  {t('Sign out')}
                </Button>
              </Stack>
            </Alert>
          )}
          <PasskeysForm />
          <SecondFactorForm isOn={user.totpEnabled} />
          {!secondFactorMissing && <PasswordForm />}
          {!secondFactorMissing && <SessionsForm />}
        </Stack>
      </AppShell.Main>
    </AppShell>
  )
}
