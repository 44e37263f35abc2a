import { Kbd, Modal, Table, Text } from '@mantine/core'
import { t } from '../../../language/t.ts'

/** The keys of the screen: each press is one decision. */
const keys: readonly [string, string][] = [
  ['P', t('Publish')],
  ['U', t('Undo, for ten seconds')],
  ['J', t('Next report: what was decided is sent')],
  ['K', t('Previous report')],
  ['H', t('Hold')],
  ['L', t('Release a report that is held')],
  ['C', t('Comment for other reviewers')],
  ['N', t('Note to the person')],
  ['R', t('Ask for another sample')],
  ['A', t('Acknowledge a critical result')],
  ['F', t('Show or fold the results in range')],
  ['?', t('Show these keys')],
]

export function KeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={t('Keys')} centered>
      <Table variant="vertical" layout="auto" withRowBorders={false}>
        <Table.Tbody>
          {keys.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Th w={60} scope="row">
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>
                <Text>{what}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
