import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { t } from '../language/t.ts'
import { ErrorAlert } from './error-alert.tsx'

interface ConfirmButtonProps {
  /** Of the button and of the dialog. */
  label: string
  /** What will happen, and whether it can be undone. */
  sentence: ReactNode
  /** The dialog shows the error that it throws. */
  action: () => Promise<unknown>
  /** Shown when the action has succeeded. */
  done?: string
  /** Must be typed first, for actions that cannot be undone. */
  typed?: string
  /** Fields of the dialog. */
  children?: ReactNode
  /** Why the action is not possible now, and what to do; shown in place of the question. */
  blocked?: ReactNode
  isDangerous?: boolean
  disabled?: boolean
  /** The fields do not say yet what is to be done. */
  isIncomplete?: boolean
  size?: ButtonProps['size']
  variant?: ButtonProps['variant']
}

/** A button that asks for confirmation, shows progress and reports the outcome. */
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
    isIncomplete = false,
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
        aria-haspopup="dialog"
        disabled={disabled}
        c={isDangerous && !disabled ? 'var(--k-bad)' : undefined}
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
                label={t('Type {typed} to confirm', { typed })}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            {error !== undefined && <ErrorAlert error={error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={isBusy}>
                {blocked ? t('Close') : t('Go back')}
              </Button>
              {!blocked && (
                <Button
                  type="submit"
                  color={isDangerous ? 'red.8' : undefined}
                  loading={isBusy}
                  disabled={isIncomplete || (typed !== undefined && text !== typed)}
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
