import { EntryLayout } from './entry-layout.tsx'
import { SetPasswordForm } from './set-password-form.tsx'

export function InvitationPage() {
  return (
    <EntryLayout title="Welcome">
      <SetPasswordForm />
    </EntryLayout>
  )
}

export function ResetPage() {
  return (
    <EntryLayout title="New password">
      <SetPasswordForm />
    </EntryLayout>
  )
}
