import type { components } from '@kitlane/client'
import { Alert, Button, Checkbox, Group, Modal, Skeleton, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import type { AcceptedReport } from './accepted-results.tsx'
import { sexes } from './message-values.tsx'

type Compared = components['schemas']['PeopleCompared']
type Part = Compared['differences'][number]
type Identity = NonNullable<Compared['person']>

const parts: Record<Part, string> = { name: t('Name'), dateOfBirth: t('Date of birth'), sex: t('Sex') }
const shown = (part: Part, one: Identity | undefined): string => {
  const value = one?.[part]
  if (value === undefined) return t('not stated')
  return part === 'sex' ? sexes[value as keyof typeof sexes] : value
}

interface AssignDialogProps {
  messageID: string
  kitID: string
  onClose: () => void
  onAccepted: (accepted: AcceptedReport) => void
}

/** Whom the message names beside who registered the kit, before its results are put on that person's report. */
export function AssignDialog({ messageID, kitID, onClose, onAccepted }: AssignDialogProps) {
  const params = { path: { messageID, kitID } }
  const compared = useRead('/operator/v1/lab/messages/{messageID}/kits/{kitID}', { params })
  const assign = useWrite('post', '/operator/v1/lab/messages/{messageID}/assign')
  const [isSure, setSure] = useState(false)
  const differences = compared.data?.differences ?? []
  const put = () =>
    assign
      .mutateAsync({ params: { path: { messageID } }, body: { kitID, differences } })
      // The list is read again first and no longer has this message, so a callback of `mutate` would not run.
      .then(onAccepted)
      // Shown as `assign.error`.
      .catch(() => undefined)
  return (
    <Modal opened onClose={onClose} title={t('Assign to {kitID}', { kitID })} size="lg" centered>
      <Stack>
        {compared.error && <ErrorAlert error={compared.error} retry={() => void compared.refetch()} />}
        {!compared.data && !compared.error && <Skeleton height={120} />}
        {compared.data && (
          <>
            <People compared={compared.data} />
            {differences.length > 0 && (
              <Alert color="red" title={t('These may be two people')}>
                <Checkbox
                  label={t('I have checked it: these results are of the person who registered the kit')}
                  checked={isSure}
                  onChange={(event) => setSure(event.currentTarget.checked)}
                />
              </Alert>
            )}
          </>
        )}
        {assign.error && <ErrorAlert error={assign.error} />}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            onClick={() => void put()}
            disabled={!compared.data || (differences.length > 0 && !isSure)}
            loading={assign.isPending}
          >
            {t('Assign')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function People({ compared: { patient, person, differences } }: { compared: Compared }) {
  return (
    <Table aria-label={t('Both people')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th scope="col">{t('The message says')}</Table.Th>
          <Table.Th scope="col">{t('Who registered the kit')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(parts).map(([part, label]) => {
          const isOther = differences.includes(part as Part)
          return (
            <Table.Tr key={part} fw={isOther ? 600 : undefined}>
              <Table.Th scope="row">
                {isOther ? <StatusDot tone="bad">{t('{label}: differs', { label })}</StatusDot> : label}
              </Table.Th>
              <Table.Td>{shown(part as Part, patient)}</Table.Td>
              <Table.Td>{person ? shown(part as Part, person) : t('nobody')}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
