import { Button, Modal, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { fetchRaw } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { SupportReceipt, SupportVisit } from '../../api/shapes.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'
import { detailWords } from '../audit/detail-words.ts'
import { detailsInWords } from '../audit/details.ts'
import { labelOf, sentenceOf } from '../audit/sentences/sentences.ts'

type Entry = SupportReceipt['entries'][number]

const outcomes: Record<Entry['outcome'], string> = {
  ends: t('Ends with the access'),
  ended: t('Has ended'),
  stays: t('Stays'),
}

/** What was made in an access of the operator, and what became of it. */
export function ReceiptButton({ access }: { access: SupportVisit }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-haspopup="dialog">
        {t('Receipt')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('What was made in this access')} size="xl">
        {opened && <Receipt id={access.id} />}
      </Modal>
    </>
  )
}

function Receipt({ id }: { id: string }) {
  const receipt = useRead('/api/v1/support-accesses/{supportAccessID}/receipt', {
    params: { path: { supportAccessID: id } },
  })
  if (receipt.error) return <ErrorAlert error={receipt.error} retry={() => void receipt.refetch()} />
  const { entries = [], complete = true } = receipt.data ?? {}
  if (receipt.data && entries.length === 0) return <Text>{t('Nothing was made or changed.')}</Text>
  return (
    <Stack gap="sm">
      {!complete && <Text size="sm">{t('More was done than is listed here: the audit has all of it.')}</Text>}
      <WideTable label={t('What was made in this access')}>
        <Table.Tbody>
          {entries.map((entry) => (
            <Row key={`${entry.date} ${entry.action} ${entry.objectID}`} entry={entry} />
          ))}
        </Table.Tbody>
      </WideTable>
    </Stack>
  )
}

function Row({ entry: { date, action, objectID, mode, outcome, before, changed, undo } }: { entry: Entry }) {
  const { businessID } = useRealm()
  const cache = useQueryClient()
  // A change back needs values, which a person decides on the page of the object.
  const isWhole = undo && (undo.method === 'DELETE' || undo.operationID === 'cancelOrder')
  return (
    <Table.Tr>
      <Table.Td>
        <ExactDate value={date} />
      </Table.Td>
      <Table.Td>
        {labelOf(sentenceOf(action) ?? action)}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {mode === 'live' ? objectID : t('{id}, in the sandbox', { id: objectID })}
        </Text>
        {before && <Text size="xs">{t('Before: {values}', { values: detailsInWords(before).join(', ') })}</Text>}
        {changed && (
          <Text size="xs">
            {t('Changed: {fields}', { fields: changed.map((name) => detailWords[name] ?? name).join(', ') })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{outcomes[outcome]}</Table.Td>
      <Table.Td>
        {undo && isWhole && (
          <ConfirmButton
            label={t('Undo')}
            size="xs"
            isDangerous
            sentence={t('This cannot be taken back.')}
            action={async () => {
              await fetchRaw(`${businessID}/${mode}`, undo.path, { method: undo.method })
              await cache.invalidateQueries()
            }}
            done={t('Undone')}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}
