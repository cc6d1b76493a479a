/** Commands about tuning profiles, and the options by which one is chosen and changed. */
package org.fedometer.cli.profile;
