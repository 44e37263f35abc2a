import type { components } from '@kitlane/client'
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { saveFile } from '../../components/save-file.ts'
import { t } from '../../language/t.ts'

const BY_RULES = ''

interface SendOrderProps {
  kitID: string
  /** Undefined until it is known. */
  kitType: string | undefined
  label?: string
  laboratories: readonly components['schemas']['LabConnection'][]
}

/** Sends an order that no laboratory has: as the rules say, or to the laboratory that a person chooses. */
export function SendOrder({ kitID, kitType, label = t('Send it'), laboratories }: SendOrderProps) {
  const route = useWrite('post', '/operator/v1/lab-orders/{kitID}/route')
  const [laboratoryID, choose] = useState(BY_RULES)
  return (
    <ConfirmButton
      label={label}
      variant="filled"
      sentence={t(
        'The laboratory gets the order now. A laboratory that you choose gets it wherever the person lives, and however many it had today.',
      )}
      action={() =>
        route.mutateAsync({ params: { path: { kitID } }, body: laboratoryID === BY_RULES ? {} : { laboratoryID } })
      }
      done={t('The order is on its way')}
    >
      <Select
        label={t('Laboratory')}
        allowDeselect={false}
        data={[
          { value: BY_RULES, label: t('As the rules say') },
          ...laboratories.map((one) => {
            const why = whyNot(one, kitType)
            return {
              value: one.laboratoryID,
              label: why === undefined ? one.name : `${one.name} (${why})`,
              disabled: why !== undefined,
            }
          }),
        ]}
        value={laboratoryID}
        onChange={(value) => choose(value ?? BY_RULES)}
      />
    </ConfirmButton>
  )
}

/** Why the service would not let a person choose a laboratory. */
function whyNot({ isActive, tests }: SendOrderProps['laboratories'][number], ofKit?: string): string | undefined {
  if (!isActive) return t('gets no new orders')
  const isTested = ofKit === undefined || tests.some(({ kitType }) => kitType === ofKit)
  return isTested ? undefined : t('does not test this kit type')
}

/** Closes an order that was settled without the service, such as by telephone. */
export function CloseOrder({ kitID }: { kitID: string }) {
  const close = useWrite('post', '/operator/v1/lab-orders/{kitID}/close')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('Close the order')}
      isDangerous
      sentence={t('The laboratory is told nothing. The audit has the reason: write nothing about a person.')}
      action={() => close.mutateAsync({ params: { path: { kitID } }, body: { reason } })}
      done={t('The order was closed')}
      isIncomplete={reason.trim() === ''}
    >
      <TextInput
        label={t('How it was settled')}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}

/** What the laboratory answered by another way than a message. */
export function AnswerOrder({ controlID }: { controlID: string }) {
  const answer = useWrite('post', '/operator/v1/lab-orders/answers')
  const [accepted, setAccepted] = useState(true)
  const [fillerNumber, setNumber] = useState('')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('The laboratory answered')}
      size="xs"
      sentence={t('Say this if the laboratory told you, such as by telephone. It cannot be taken back.')}
      action={() =>
        answer.mutateAsync({
          body: {
            controlID,
            accepted,
            ...(accepted && fillerNumber.trim() && { fillerNumber: fillerNumber.trim() }),
            ...(!accepted && { reason: reason.trim() }),
          },
        })
      }
      done={t('The answer was saved')}
      isIncomplete={!accepted && reason.trim() === ''}
    >
      <SegmentedControl
        aria-label={t('What it answered')}
        value={accepted ? 'accepted' : 'refused'}
        onChange={(value) => setAccepted(value === 'accepted')}
        data={[
          { value: 'accepted', label: t('It accepts') },
          { value: 'refused', label: t('It refuses') },
        ]}
      />
      {accepted ? (
        <TextInput
          label={t('Laboratory’s number')}
          description={t('Leave empty if it has none')}
          maxLength={80}
          value={fillerNumber}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label={t('Reason')}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ConfirmButton>
  )
}

/** The order on paper, for a laboratory that takes no messages. */
export function Requisition({ kitID }: { kitID: string }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const path = `/operator/v1/lab-orders/${encodeURIComponent(kitID)}/requisition`
      const response = await fetchRaw(undefined, path, { headers: { Accept: 'application/pdf' } })
      saveFile(await response.blob(), `requisition-${kitID}.pdf`)
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('The PDF could not be downloaded'),
        message: asProblem(error).message,
      })
    }
    setBusy(false)
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      {t('Requisition (PDF)')}
    </Button>
  )
}
