import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { ErrorAlert } from './error-alert.tsx'

interface ConfirmButtonProps {
  /** On the button and on the dialog. */
  label: string
  /** What will happen, and whether it can be undone. */
  sentence: ReactNode
  /** Does it; what it throws is shown in the dialog. */
  action: () => Promise<unknown>
  /** Said when it is done. */
  done?: string
  /** Has to be typed first, where nothing brings it back. */
  typed?: string
  /** Fields that belong to the question. */
  children?: ReactNode
  /** Why it cannot be done now and what to do about it; shown in place of the question. */
  blocked?: ReactNode
  isDangerous?: boolean
  disabled?: boolean
  size?: ButtonProps['size']
  variant?: ButtonProps['variant']
}

/** A button that asks first, shows that it works, and says what came of it. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    label,
    sentence,
    action,
    done,
    typed,
    children,
    blocked,
    isDangerous = false,
    disabled,
    size,
    variant = 'default',
  } = props
  const [opened, { open, close }] = useDisclosure()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const start = () => {
    setText('')
    setError(undefined)
    open()
  }
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await action()
      close()
      if (done) notifications.show({ message: done })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        variant={variant}
        size={size}
        onClick={start}
        disabled={disabled}
        c={isDangerous ? 'var(--k-bad)' : undefined}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={label} centered closeOnClickOutside={!isBusy}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void confirm()
          }}
        >
          <Stack gap="sm">
            {blocked ?? (
              <>
                <Text component="div">{sentence}</Text>
                {children}
              </>
            )}
            {typed !== undefined && (
              <TextInput
                label={`Type ${typed} to confirm`}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            {error !== undefined && <ErrorAlert error={error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={isBusy}>
                {blocked ? 'Close' : 'Go back'}
              </Button>
              {!blocked && (
                <Button
                  type="submit"
                  color={isDangerous ? 'red.8' : undefined}
                  loading={isBusy}
                  disabled={typed !== undefined && text !== typed}
                >
                  {label}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
