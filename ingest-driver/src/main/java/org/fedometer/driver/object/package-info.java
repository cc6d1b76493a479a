/**
 * What is done to one object, in as many requests as it takes: made, read back, changed, purged. A
 * lost answer is cleared up here, by a look at what Fedora has.
 */
package org.fedometer.driver.object;
