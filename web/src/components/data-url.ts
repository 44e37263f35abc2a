/** A file as a `data:` address: what the API takes uploads as, and what the policy lets pictures be. */
export async function dataUrlOf(file: Blob): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
