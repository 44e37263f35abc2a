import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { GiveDay, Identify } from './give-day.tsx'
import { type Hold, HoldState } from './hold-state.tsx'

/** On the page of a kit of the operator: what its sample waits for, and until when. */
export function OperatorHold({ hold, isLaboratory }: { hold: Hold; isLaboratory: boolean }) {
  return (
    <Alert variant="light" title={t('Sample on hold')}>
      <Stack gap="sm" align="flex-start">
        <HoldState hold={hold} />
        {isLaboratory && <HoldActions hold={hold} />}
      </Stack>
    </Alert>
  )
}

/** What a laboratory can do with a hold now. */
export function HoldActions({ hold: { kitID, state, acknowledged, requiredActions, hasResults } }: { hold: Hold }) {
  const params = { path: { kitID } }
  const mend = useWrite('post', '/operator/v1/kits/{kitID}/hold/mend')
  const acknowledge = useWrite('post', '/operator/v1/kits/{kitID}/hold/acknowledge')
  const codes = requiredActions.filter(({ by }) => by.includes('operator')).map(({ code }) => code)
  if (state !== 'open') {
    if (acknowledged) return null
    return (
      <Button size="xs" loading={acknowledge.isPending} onClick={() => acknowledge.mutate({ params })}>
        {t('Seen')}
      </Button>
    )
  }
  return (
    <Group gap="xs">
      {codes.includes('giveCollectionDate') && (
        <GiveDay save={(collectedDate) => mend.mutateAsync({ params, body: { collectedDate } })} />
      )}
      {codes.includes('identifySample') && (
        <Identify save={() => mend.mutateAsync({ params, body: { identified: true } })} />
      )}
      <Extend kitID={kitID} />
      {hasResults ? (
        <Text size="sm">{t('It has results: its report decides what becomes of it.')}</Text>
      ) : (
        <Discard kitID={kitID} />
      )}
    </Group>
  )
}

function Extend({ kitID }: { kitID: string }) {
  const extend = useWrite('post', '/operator/v1/kits/{kitID}/hold/extend')
  const [day, setDay] = useState('')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('Keep it longer')}
      size="xs"
      sentence={t('The business sees the new day, and the audit has the reason.')}
      action={() =>
        extend.mutateAsync({ params: { path: { kitID } }, body: { discardAt: `${day}T12:00:00.000Z`, reason } })
      }
      done={t('The sample is kept longer')}
      isIncomplete={day === '' || reason.trim() === ''}
    >
      <TextInput
        type="date"
        label={t('Keep it until')}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <TextInput label={t('Reason')} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </ConfirmButton>
  )
}

function Discard({ kitID }: { kitID: string }) {
  const discard = useWrite('post', '/operator/v1/kits/{kitID}/hold/discard')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('Discard the sample')}
      size="xs"
      sentence={t('The sample is rejected, and a free kit is sent if the business wants that.')}
      action={() => discard.mutateAsync({ params: { path: { kitID } }, body: { reason } })}
      done={t('The sample was discarded')}
      isIncomplete={reason.trim() === ''}
      isDangerous
    >
      <TextInput label={t('Reason')} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </ConfirmButton>
  )
}
