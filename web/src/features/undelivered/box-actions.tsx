import { Group } from '@mantine/core'
import { useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import type { Box } from './labels.ts'
import { SendAgain } from './send-again.tsx'

/** What a business can choose for a box now. */
export function BoxActions({ box: { kitID, orderID, choices, state } }: { box: Box }) {
  const { write } = usePermissions()
  const choose = useWrite('post', '/api/v1/kits/{kitID}/undelivered')
  const ask = useWrite('post', '/api/v1/kits/{kitID}/undelivered/link')
  const params = { path: { kitID } }
  if (!write || choices.length === 0) return null
  const send = (choice: 'sendAgain' | 'replace') => (
    <SendAgain
      choice={choice}
      orderID={orderID}
      save={(recipientAddress) =>
        choose.mutateAsync({ params, body: { choice, ...(recipientAddress && { recipientAddress }) } })
      }
    />
  )
  return (
    <Group gap="xs">
      {choices.includes('sendAgain') && send('sendAgain')}
      {choices.includes('sendAgain') && state === 'undecided' && (
        <ConfirmButton
          label={t('Ask the recipient')}
          size="xs"
          sentence={t(
            'The recipient gets an e-mail with a link to enter the address. An earlier link of this box stops working.',
          )}
          action={() => ask.mutateAsync({ params, body: {} })}
          done={t('The recipient was asked')}
        />
      )}
      {choices.includes('replace') && send('replace')}
      {choices.includes('close') && (
        <ConfirmButton
          label={t('Close')}
          size="xs"
          sentence={t('Nothing more is sent for this kit. This cannot be undone.')}
          action={() => choose.mutateAsync({ params, body: { choice: 'close' } })}
          done={t('Nothing more is sent')}
        />
      )}
    </Group>
  )
}
