// In the place of the view's pool: a page in one file may start no workers.

import { prepare, type Prepared } from "../view/prepare";

export class Pool {
  async prepare(data: ArrayBuffer): Promise<Prepared> {
    return prepare(data);
  }

  dispose() {}
}
