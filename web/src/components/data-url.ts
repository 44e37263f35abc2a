/** A file as a `data:` URL: the API takes uploads in it, and the content security policy allows it for images. */
export async function dataUrlOf(file: Blob): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
