import { Alert, Group, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { GiveDay, Identify } from './give-day.tsx'
import { type Hold, HoldState } from './hold-state.tsx'

/** On the page of a kit: what its sample waits for, until when, and what the business can do. */
export function BusinessHold({ kitID }: { kitID: string }) {
  const hold = useRead('/api/v1/held-samples', { params: { query: { kitID } } }).data?.data[0]
  // What is mended is nobody's business any more.
  if (!hold || hold.state === 'released') return null
  return (
    <Alert variant="light" title={t('Sample on hold')}>
      <Stack gap="sm" align="flex-start">
        <HoldState hold={hold} isBrief={hold.state === 'open'} />
        <Required hold={hold} />
      </Stack>
    </Alert>
  )
}

const waiters: Record<Hold['requiredActions'][number]['by'][number], string> = {
  person: t('the person'),
  business: t('you'),
  operator: t('the laboratory'),
}

/** What is required of a sample in words, and what the business can do of it. `isWaitedFor`: with who may do it. */
export function Required({ hold, isWaitedFor = false }: { hold: Hold; isWaitedFor?: boolean }) {
  return (
    <>
      {hold.requiredActions.map(({ code, sentence, by }) => (
        <div key={code}>
          <Text>{sentence}</Text>
          {isWaitedFor && (
            <Text size="xs" c="dimmed">
              {t('Can be done by {who}', { who: by.map((one) => waiters[one]).join(', ') })}
            </Text>
          )}
        </div>
      ))}
      <Actions hold={hold} />
    </>
  )
}

function Actions({ hold: { kitID, requiredActions } }: { hold: Hold }) {
  const { write } = usePermissions()
  const mend = useWrite('post', '/api/v1/kits/{kitID}/hold/mend')
  const params = { path: { kitID } }
  const codes = requiredActions.filter(({ by }) => by.includes('business')).map(({ code }) => code)
  if (!write || codes.length === 0) return null
  return (
    <Group gap="xs">
      {codes.includes('giveCollectionDate') && (
        <GiveDay save={(collectedDate) => mend.mutateAsync({ params, body: { collectedDate } })} />
      )}
      {codes.includes('identifySample') && (
        <Identify save={() => mend.mutateAsync({ params, body: { identified: true } })} />
      )}
      {codes.includes('confirmName') && (
        <ConfirmButton
          label={t('The registered name is right')}
          size="xs"
          sentence={t('The sample is of the person who is registered, though the name on it differs.')}
          action={() => mend.mutateAsync({ params, body: { name: 'confirm' } })}
          done={t('The name was confirmed')}
        />
      )}
      {codes.includes('approveName') && <Approve kitID={kitID} />}
    </Group>
  )
}

/** Another name that the person gave. Reading it is in the audit, so that only this asks for it. */
function Approve({ kitID }: { kitID: string }) {
  const params = { path: { kitID } }
  const name = useRead('/api/v1/kits/{kitID}/hold', { params }).data?.proposedName
  const mend = useWrite('post', '/api/v1/kits/{kitID}/hold/mend')
  if (!name) return null
  return (
    <>
      <Text>{t('The person gave the name {name}.', { name: `${name.firstName} ${name.lastName}` })}</Text>
      <ConfirmButton
        label={t('Approve the name')}
        size="xs"
        sentence={t('The person is called so from now on, and the sample goes on.')}
        action={() => mend.mutateAsync({ params, body: { name: 'approve' } })}
        done={t('The name was approved')}
      />
      <ConfirmButton
        label={t('Decline the name')}
        size="xs"
        sentence={t('The registered name stays, and the person is asked again.')}
        action={() => mend.mutateAsync({ params, body: { name: 'decline' } })}
        done={t('The name was declined')}
      />
    </>
  )
}
