import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'
import { type Sex, sexOptions } from './sexes.ts'

const nobody = { name: '', email: '', dateOfBirth: '', external_id: '' }

export function NewCustomer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [person, setPerson] = useState(nobody)
  const [gender, setGender] = useState<Sex | null>(null)
  const navigate = useNavigate()
  const path = useRealmPath()
  const create = useWrite('post', '/api/v1/customers')
  const set = (name: keyof typeof nobody) => (event: { currentTarget: { value: string } }) =>
    setPerson({ ...person, [name]: event.currentTarget.value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { name, email, dateOfBirth, external_id } = person
    create.mutate(
      {
        body: {
          name: name.trim(),
          email: email.trim(),
          ...(dateOfBirth && { dateOfBirth }),
          ...(gender && { gender }),
          ...(external_id.trim() && { external_id: external_id.trim() }),
        },
      },
      { onSuccess: ({ id }) => void navigate({ to: path('customers', id) }) },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Add a customer')} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label={t('Name')} required data-autofocus value={person.name} onChange={set('name')} />
          <TextInput label="E-mail" type="email" required value={person.email} onChange={set('email')} />
          <TextInput label={t('Date of birth')} type="date" value={person.dateOfBirth} onChange={set('dateOfBirth')} />
          <Select
            label={t('Sex')}
            description={t('Reference ranges depend on it')}
            clearable
            value={gender}
            onChange={setGender}
            data={sexOptions}
          />
          <TextInput label={t('Your ID')} value={person.external_id} onChange={set('external_id')} />
          {create.error && <ErrorAlert error={create.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending}>
              {t('Add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
