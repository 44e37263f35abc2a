import { AppShell, Stack } from '@mantine/core'
import { useSession } from '../../app/session.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import css from '../../frame/frame.module.css'
import { HeaderMenu } from '../../frame/header-menu.tsx'
import { WorkspaceMenu } from '../../frame/workspace-menu.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

/** The settings of the person, independent of any business. */
export function AccountPage() {
  const { user } = useSession()
  return (
    <AppShell header={{ height: 56 }} padding="lg">
      <AppShell.Header className={css.header}>
        <WorkspaceMenu label="Go to a workspace" />
        <HeaderMenu />
      </AppShell.Header>
      <AppShell.Main>
        <Stack gap="lg" maw={560} mx="auto">
          <PageHeader title="Your account" sentence={user.name ? `${user.name}, ${user.email}` : user.email} />
          <SecondFactorForm isOn={user.totpEnabled} />
          <PasswordForm />
        </Stack>
      </AppShell.Main>
    </AppShell>
  )
}
