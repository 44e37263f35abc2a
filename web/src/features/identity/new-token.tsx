import { Button, Checkbox, Group, Modal, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'
import { type Scope, scopes } from './scopes.ts'
import { AddressField, listed } from './token-addresses.tsx'

interface NewTokenProps {
  opened: boolean
  onClose: () => void
  onMade: (token: string) => void
}

export function NewToken({ opened, onClose, onMade }: NewTokenProps) {
  const [name, setName] = useState('')
  const [ends, setEnds] = useState<'year' | 'date' | 'never'>('year')
  const [expiresDate, setExpiresDate] = useState('')
  const [addresses, setAddresses] = useState('')
  const [chosen, setChosen] = useState<string[]>([...scopes])
  const create = useWrite('post', '/api/v1/tokens')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const from = listed(addresses)
    const body = {
      name: name.trim(),
      scopes: chosen as Scope[],
      ...(ends === 'date' && { expiresDate }),
      ...(ends === 'never' && { expiresDate: null }),
      ...(from.length > 0 && { addresses: from }),
    }
    create.mutate(
      { body },
      {
        onSuccess: ({ token }) => {
          setName('')
          setAddresses('')
          onMade(token)
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('New token')} centered size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            description={t('The program that will use it')}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label={t('Scopes')} value={chosen} onChange={setChosen}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="xs">
              {scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} size="xs" />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group align="flex-end">
            <Select
              label={t('Expires')}
              w={220}
              data={[
                { value: 'year', label: t('In one year') },
                { value: 'date', label: t('On a day') },
                { value: 'never', label: t('Never') },
              ]}
              value={ends}
              onChange={(value) => value && setEnds(value)}
              allowDeselect={false}
            />
            {ends === 'date' && (
              <TextInput
                label={t('Expires on')}
                type="date"
                required
                w={220}
                value={expiresDate}
                onChange={(event) => setExpiresDate(event.currentTarget.value)}
              />
            )}
          </Group>
          <AddressField value={addresses} onChange={setAddresses} />
          {create.error && <ErrorAlert error={create.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending} disabled={chosen.length === 0}>
              {t('Create the token')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
