import { Alert, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { AccessReview } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { CsvButton } from '../../components/csv-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

/** Who has access, to be read and confirmed every 90 days. */
export function AccessReviewPage() {
  const review = useRead('/operator/v1/access-review')
  const { data, error } = review
  const shared = { error, retry: () => void review.refetch() }
  return (
    <>
      <PageHeader
        title={t('Access review')}
        sentence={t(
          'Everybody who has access, with the operator and in all businesses. Confirm every 90 days that each of them should have it.',
        )}
        actions={
          <>
            <CsvButton path="/operator/v1/access-review" filters={{}} />
            {data && <SignOff review={data} />}
          </>
        }
      />
      {data?.isDue && (
        <Alert color="yellow" mb="md" title={t('A review is due')}>
          {t('Nobody has signed off in the last 90 days. Remove who should have no access, then sign off.')}
        </Alert>
      )}
      <Stack gap="lg">
        <Part title={t('Users')}>
          <DataTable
            label={t('Users')}
            rows={data?.users}
            {...shared}
            rowKey={({ id }) => id}
            columns={userColumns}
            empty={{ title: t('No users'), text: t('Nobody can sign in.') }}
          />
        </Part>
        <Part title={t('Tokens')}>
          <DataTable
            label={t('Tokens')}
            rows={data?.tokens}
            {...shared}
            rowKey={({ id }) => id}
            columns={tokenColumns}
            empty={{ title: t('No tokens'), text: t('No machine has access.') }}
          />
        </Part>
        <Part title={t('Signed off')}>
          <DataTable
            label={t('Signed off')}
            rows={data?.signOffs}
            {...shared}
            rowKey={({ id }) => id}
            columns={signOffColumns}
            empty={{ title: t('Never'), text: t('Nobody has signed off yet.') }}
          />
        </Part>
      </Stack>
    </>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  )
}

type User = AccessReview['users'][number]
type Token = AccessReview['tokens'][number]

const roleWords: Record<string, string> = {
  'operator-admin': t('administrator'),
  fulfilment: t('packer'),
  lab: t('laboratory'),
  reviewer: t('reviewer'),
  provider: t('provider'),
  'business-admin': t('administrator'),
  'business-viewer': t('viewer'),
}

const userColumns: Column<User>[] = [
  { header: t('User'), cell: ({ email, disabled }) => (disabled ? t('{email} (disabled)', { email }) : email) },
  { header: t('Roles'), cell: ({ roles }) => <Roles roles={roles} /> },
  { header: t('Second factor'), cell: ({ secondFactor }) => (secondFactor ? t('Yes') : t('No')) },
  { header: t('Last sign-in'), cell: ({ lastSignInDate }) => <RelativeDate value={lastSignInDate} /> },
]

function Roles({ roles }: { roles: User['roles'] }) {
  if (roles.length === 0) return <>{t('None')}</>
  return roles.map(({ role, business }) => (
    <Text key={`${role} ${business?.id}`} size="sm">
      {business?.name ?? t('The operator')}: {roleWords[role] ?? role}
    </Text>
  ))
}

const scopesText = (count: number) => t('{count, plural, one {# scope} other {# scopes}}', { count })
const ownerText = (name: string, mode: string | undefined) =>
  mode === 'sandbox' ? t('{name}, sandbox', { name }) : t('{name}, live', { name })

const tokenColumns: Column<Token>[] = [
  { header: t('Token'), cell: ({ name }) => name },
  { header: t('Of'), cell: ({ business, mode }) => (business ? ownerText(business.name, mode) : t('The operator')) },
  { header: t('Scopes'), cell: ({ scopes }) => scopesText(scopes.length), isMinor: true },
  { header: t('Made'), cell: ({ createdDate }) => dayOf(createdDate), isMinor: true },
  { header: t('Ends'), cell: ({ expiresDate }) => (expiresDate ? dayOf(expiresDate) : t('Never')) },
]

const signOffColumns: Column<AccessReview['signOffs'][number]>[] = [
  { header: t('When'), cell: ({ date }) => <RelativeDate value={date} /> },
  { header: t('By'), cell: ({ by }) => by },
  {
    header: t('What'),
    cell: ({ users, tokens }) =>
      t('{users, plural, one {# user} other {# users}}, {tokens, plural, one {# token} other {# tokens}}', {
        users,
        tokens,
      }),
  },
  { header: t('Note'), cell: ({ note }) => note ?? '–' },
  { header: t('Hash of the list'), cell: ({ sha256 }) => sha256.slice(0, 16), isMinor: true },
]

function SignOff({ review: { sha256, users, tokens } }: { review: AccessReview }) {
  const [note, setNote] = useState('')
  const sign = useWrite('post', '/operator/v1/access-review/sign-offs')
  return (
    <ConfirmButton
      label={t('Sign off')}
      variant="filled"
      sentence={t(
        'You confirm that all {users, plural, one {# user} other {# users}} and {tokens, plural, one {# token} other {# tokens}} on this list should have their access. Your name, the time and a hash of the list are kept.',
        { users: users.length, tokens: tokens.length },
      )}
      action={() => sign.mutateAsync({ body: { sha256, ...(note.trim() && { note: note.trim() }) } })}
      done={t('The review was signed off')}
    >
      <Textarea
        label={t('Note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={1000}
      />
    </ConfirmButton>
  )
}
