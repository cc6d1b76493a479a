/**
 * Asking: SQL over sealed runs, in this process or at a collector far away. Whoever asks sees
 * {@link org.fedometer.store.query.Query} and {@link org.fedometer.store.query.Rows} and need not
 * know which.
 */
package org.fedometer.store.query;
