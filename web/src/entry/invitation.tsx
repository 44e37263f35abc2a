import { EntryPage } from './entry-page.tsx'
import { TokenForm } from './token-form.tsx'

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
