import { Grid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Order } from '../../api/shapes.ts'
import { Changes } from '../../components/changes.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { addressFields, addressLabel, CountryField } from './recipient-fields.tsx'
import { isNeeded } from './recipient-problems.ts'

export type Address = NonNullable<Order['recipientAddress']>

/** Why it stays, and what to do instead. */
export const PACKED = t(
  'A kit of this order is packed already, so its address stays. If the parcel cannot arrive, replace the kit from its page: it is free, and the address can be corrected before the replacement is packed.',
)

interface CorrectAddressProps {
  address: Address
  /** Why it stays as it is, and what to do instead. */
  blocked?: string | undefined
  save: (address: Address, reason: string) => Promise<unknown>
  isReasonRequired?: boolean
}

/** Corrects where an order goes, and shows before what changes. */
export function CorrectAddress({ address, blocked, save, isReasonRequired = false }: CorrectAddressProps) {
  const [draft, setDraft] = useState(address)
  const [reason, setReason] = useState('')
  const given = { ...trimmed(draft), country: draft.country.trim().toUpperCase() }
  const changes = addressFields.flatMap(({ name, label }) => {
    const [before, after] = [address[name] ?? '', given[name] ?? '']
    return before === after ? [] : [{ name: addressLabel(name, label, given), before, after }]
  })
  return (
    <ConfirmButton
      label={t('Correct the address')}
      size="xs"
      blocked={blocked && <Text>{blocked}</Text>}
      sentence={t('All kits of the order go to the new address. E-mails that were sent keep the old one.')}
      isIncomplete={changes.length === 0 || (isReasonRequired && reason.trim() === '')}
      action={() => save(given, reason.trim())}
      done={t('The address was corrected')}
    >
      <Stack gap="sm">
        <Grid gap="sm">
          {addressFields.map(({ name, label, span, required }) => (
            <Grid.Col key={name} span={{ base: 12, xs: span }}>
              {name === 'country' ? (
                <CountryField of={draft} onChange={(country) => setDraft({ ...draft, country })} />
              ) : (
                <TextInput
                  label={addressLabel(name, label, draft)}
                  required={name === 'state' || name === 'zip' ? isNeeded(name, draft) : required}
                  autoComplete="off"
                  maxLength={200}
                  value={draft[name] ?? ''}
                  onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
                />
              )}
            </Grid.Col>
          ))}
        </Grid>
        <TextInput
          label={t('Reason')}
          description={t('For the audit')}
          required={isReasonRequired}
          maxLength={300}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Changes changes={changes} />
      </Stack>
    </ConfirmButton>
  )
}

function trimmed({ street1, street2, city, state, zip, country }: Address): Address {
  const flat = street2?.trim()
  return {
    street1: street1.trim(),
    city: city.trim(),
    state: state.trim(),
    zip: zip.trim(),
    country,
    ...(flat && { street2: flat }),
  }
}
