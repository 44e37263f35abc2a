import { t } from '../../language/t.ts'
import { EntryLayout } from './entry-layout.tsx'
import { SetPasswordForm } from './set-password-form.tsx'

export function InvitationPage() {
  return (
    <EntryLayout title={t('Welcome')}>
      <SetPasswordForm />
    </EntryLayout>
  )
}

export function ResetPage() {
  return (
    <EntryLayout title={t('New password')}>
      <SetPasswordForm />
    </EntryLayout>
  )
}
