import { EntryPage } from './entry-layout.tsx'
import { TokenForm } from './set-password-form.tsx'

export function InvitationPage() {
  return (
    <EntryPage title="Welcome">
      <TokenForm />
    </EntryPage>
  )
}

export function ResetPage() {
  return (
    <EntryPage title="New password">
      <TokenForm />
    </EntryPage>
  )
}
