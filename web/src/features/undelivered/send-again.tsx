import { Grid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import type { Address } from '../orders/correct-address.tsx'
import { addressFields } from '../orders/recipient-fields.tsx'
import { isNeeded } from '../orders/recipient-problems.ts'

interface SendAgainProps {
  /** The same kit, or a new one in its place. */
  choice: 'sendAgain' | 'replace'
  /** Where it went. Absent: it is read from the order when somebody asks. */
  address?: Address | undefined
  orderID: string
  /** The person who sees it need not do it. */
  isQuiet?: boolean
  /** Without an address it goes where it went. */
  save: (address: Address | undefined) => Promise<unknown>
}

const words = {
  sendAgain: {
    label: t('Send it again'),
    sentence: t(
      'The same kit goes out again as soon as the box is here, with the other boxes of its order that came back. It costs no credits. Correct the address first if it was wrong.',
    ),
    done: t('It goes out again'),
  },
  replace: {
    label: t('Replace kit'),
    sentence: t('A new kit of the same panel goes to this address, free of charge. This kit is not sent any more.'),
    done: t('A new kit is being packed'),
  },
}

/** Chooses that a kit goes out again, and shows the address where it can be corrected. */
export function SendAgain({ choice, address, orderID, isQuiet = choice === 'replace', save }: SendAgainProps) {
  const [draft, setDraft] = useState<Address>()
  const { label, sentence, done } = words[choice]
  return (
    <ConfirmButton
      label={label}
      size="xs"
      variant={isQuiet ? 'default' : 'filled'}
      sentence={sentence}
      action={() => save(draft && { ...draft, country: draft.country.trim().toUpperCase() })}
      done={done}
    >
      {address ? (
        <AddressFields address={draft ?? address} onChange={setDraft} />
      ) : (
        <AddressOfOrder orderID={orderID} draft={draft} onChange={setDraft} />
      )}
    </ConfirmButton>
  )
}

interface OfOrder {
  orderID: string
  draft: Address | undefined
  onChange: (address: Address) => void
}

function AddressOfOrder({ orderID, draft, onChange }: OfOrder) {
  const order = useRead('/api/v1/orders/{id}', { params: { path: { id: orderID } } })
  const address = draft ?? order.data?.recipientAddress
  return address ? <AddressFields address={address} onChange={onChange} /> : null
}

function AddressFields({ address, onChange }: { address: Address; onChange: (address: Address) => void }) {
  return (
    <Stack gap="sm">
      <Grid gap="sm">
        {addressFields.map(({ name, label, span, required }) => (
          <Grid.Col key={name} span={{ base: 12, xs: span }}>
            <TextInput
              label={label}
              required={name === 'state' || name === 'zip' ? isNeeded(name, address) : required}
              autoComplete="off"
              maxLength={name === 'country' ? 2 : 200}
              value={address[name] ?? ''}
              onChange={(event) => onChange({ ...address, [name]: event.currentTarget.value })}
            />
          </Grid.Col>
        ))}
      </Grid>
    </Stack>
  )
}
