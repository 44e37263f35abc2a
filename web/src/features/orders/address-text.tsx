import { Stack, Text } from '@mantine/core'
import type { Address } from './correct-address.tsx'

export function AddressText({ address }: { address: Address }) {
  return (
    <Stack gap={0}>
      <Text>{address.street1}</Text>
      {address.street2 && <Text>{address.street2}</Text>}
      <Text>{[address.city, [address.state, address.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')}</Text>
      <Text>{address.country}</Text>
    </Stack>
  )
}
