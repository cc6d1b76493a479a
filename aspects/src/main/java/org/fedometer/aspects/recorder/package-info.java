/**
 * Where Fedora's threads leave what was measured: a ring for each, which the agent's drainer
 * empties. Some methods run on Fedora's threads, the others on the drainer's; each says which.
 */
package org.fedometer.aspects.recorder;
